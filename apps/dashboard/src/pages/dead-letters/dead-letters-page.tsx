import type { DeadLetterView } from '@synchub/protocol'
import { useCallback, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Button } from '../../controls/button.js'
import { FailureNote } from '../../controls/failure-note.js'
import { Waiting } from '../../controls/waiting.js'
import { toFailure } from '../../hub/failure.js'
import { useTexts } from '../../language/texts.js'
import { useNow } from '../../live/use-live.js'
import { DeadLetterFilters } from './dead-letter-filters.js'
import { addressOf, type DeadLetterWish, readWish } from './dead-letter-query.js'
import { DeadLetterRow } from './dead-letter-row.js'
import styles from './dead-letters.module.css'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'
import { NoDeadLetters } from './no-dead-letters.js'
import { RerunDialog } from './rerun-dialog.js'
import { ResolveDialog } from './resolve-dialog.js'
import { useDeadLetters } from './use-dead-letters.js'

/** What a person is about to do with a dead letter. */
interface Asked {
  readonly action: 'resolve' | 'rerun'
  readonly letter: DeadLetterView
}

/** How often ages are told anew, in ms. */
const AGE_INTERVAL_MS = 10_000

/** Calls that wait for a person to find out what became of them, and those of which somebody has. */
export function DeadLettersPage() {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const search = useSearch()
  const [, go] = useLocation()
  const wish = useMemo(() => readWish(new URLSearchParams(search)), [search])
  const [asked, setAsked] = useState<Asked | null>(null)
  const [outcome, setOutcome] = useState('')
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useDeadLetters(wish)
  const letters = data?.pages.flatMap(({ items }) => items) ?? []
  const change = useCallback((next: DeadLetterWish) => go(addressOf(next), { replace: true }), [go])
  const nowMs = useNow(AGE_INTERVAL_MS)
  const close = () => setAsked(null)
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{texts.name}</h1>
        <p className={styles.hint}>{texts.hint}</p>
        <DeadLetterFilters wish={wish} agents={letters.map(({ agent }) => agent)} onChange={change} />
      </header>
      <p className={styles.outcome} role="status">
        {outcome}
      </p>
      {error !== null && (
        <div className={styles.failure}>
          <FailureNote failure={toFailure(error)} onRetry={() => void refetch()} />
        </div>
      )}
      {isPending && <Waiting lines={6} />}
      {data !== undefined && letters.length === 0 && <NoDeadLetters wish={wish} />}
      {letters.length > 0 && (
        <ul className={styles.list} aria-label={texts.name}>
          {letters.map((letter) => (
            <DeadLetterRow
              key={letter.callId}
              letter={letter}
              nowMs={nowMs}
              onAsk={(action) => setAsked({ action, letter })}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className={styles.more} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.more}
        </Button>
      )}
      {asked?.action === 'resolve' && (
        <ResolveDialog
          letter={asked.letter}
          onClose={close}
          onDone={(words) => {
            close()
            setOutcome(words)
            void refetch()
          }}
        />
      )}
      {asked?.action === 'rerun' && <RerunDialog letter={asked.letter} onClose={close} />}
    </div>
  )
}
