import { Link } from 'wouter'
import { SelectFilter } from '../../controls/select-filter.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useTexts } from '../../language/texts.js'
import { addressOf, DEAD_LETTER_STATES, type DeadLetterWish } from './dead-letter-query.js'
import styles from './dead-letters.module.css'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

interface DeadLetterFiltersProps {
  readonly wish: DeadLetterWish
  /** Agents that are in the list. */
  readonly agents: readonly string[]
  onChange(wish: DeadLetterWish): void
}

/** Those that wait or those that were resolved, and which of them. */
export function DeadLetterFilters({ wish, agents, onChange }: DeadLetterFiltersProps) {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const { states } = useTexts(COMMON_TEXTS)
  return (
    <search className={styles.filters}>
      <nav className={styles.kinds} aria-label={texts.which}>
        {([false, true] as const).map((isResolved) => (
          <Link
            key={String(isResolved)}
            href={addressOf({ ...wish, isResolved })}
            className={styles.kind}
            aria-current={wish.isResolved === isResolved ? 'page' : undefined}
          >
            {isResolved ? texts.resolved : texts.waiting}
          </Link>
        ))}
      </nav>
      <SelectFilter
        label={texts.state}
        any={texts.anyState}
        value={wish.state}
        options={DEAD_LETTER_STATES.map((value) => ({ value, name: states[value] }))}
        onChange={(value) => onChange({ ...wish, state: DEAD_LETTER_STATES.find((state) => state === value) })}
      />
      <SelectFilter
        label={texts.agent}
        any={texts.anyAgent}
        value={wish.agent}
        options={[...new Set(agents)].toSorted().map((value) => ({ value, name: value }))}
        onChange={(agent) => onChange({ ...wish, agent })}
      />
    </search>
  )
}
