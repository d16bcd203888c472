import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../controls/button.js'
import { SelectFilter } from '../../controls/select-filter.js'
import { hub } from '../../hub/hub-client.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useTexts } from '../../language/texts.js'
import { ASKABLE_STATES, PERIODS, type TraceWish } from './trace-query.js'
import styles from './traces.module.css'
import { TRACES_TEXTS } from './traces-texts.js'

type WishChange = { readonly [Name in keyof TraceWish]?: TraceWish[Name] | undefined }

interface TraceFiltersProps {
  readonly wish: TraceWish
  /** Callers that are in the list. */
  readonly callers: readonly string[]
  onChange(change: WishChange): void
}

/** A pause in typing after which the list follows, in ms. */
const TYPING_MS = 250
const NONE: Required<{ readonly [Name in keyof TraceWish]: undefined }> = {
  state: undefined,
  tool: undefined,
  agent: undefined,
  caller: undefined,
  text: undefined,
  minutes: undefined,
}

/** What of all traces is shown. */
export function TraceFilters({ wish, callers, onChange }: TraceFiltersProps) {
  const texts = useTexts(TRACES_TEXTS)
  const { states } = useTexts(COMMON_TEXTS)
  const { data: agents = [] } = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => hub.agents({ signal }) })
  const tools = agents.flatMap((agent) => agent.tools.map(({ name }) => name.replace(`${agent.name}.`, '')))
  const plain = (names: readonly string[]) => [...new Set(names)].toSorted().map((value) => ({ value, name: value }))
  return (
    <search className={styles.filters} aria-label={texts.filters}>
      <SearchField text={wish.text ?? ''} onChange={(text) => onChange({ text })} />
      <SelectFilter
        label={texts.state}
        any={texts.anyState}
        value={wish.state}
        options={ASKABLE_STATES.map((value) => ({ value, name: value === 'bad' ? texts.endedBadly : states[value] }))}
        onChange={(value) => onChange({ state: ASKABLE_STATES.find((state) => state === value) })}
      />
      <SelectFilter
        label={texts.tool}
        any={texts.anyTool}
        value={wish.tool}
        options={plain(tools)}
        onChange={(tool) => onChange({ tool })}
      />
      <SelectFilter
        label={texts.agent}
        any={texts.anyAgent}
        value={wish.agent}
        options={plain(agents.map(({ name }) => name))}
        onChange={(agent) => onChange({ agent })}
      />
      <SelectFilter
        label={texts.caller}
        any={texts.anyCaller}
        value={wish.caller}
        options={plain(callers)}
        onChange={(caller) => onChange({ caller })}
      />
      <SelectFilter
        label={texts.time}
        any={texts.anyTime}
        value={wish.minutes === undefined ? undefined : String(wish.minutes)}
        options={PERIODS.map((minutes) => ({ value: String(minutes), name: texts.lastMinutes(minutes) }))}
        onChange={(value) => onChange({ minutes: value === undefined ? undefined : Number(value) })}
      />
      {Object.keys(wish).length > 0 && (
        <Button kind="quiet" onClick={() => onChange(NONE)}>
          <X size={14} aria-hidden />
          {texts.clear}
        </Button>
      )}
    </search>
  )
}

function SearchField({ text, onChange }: { readonly text: string; onChange(text: string | undefined): void }) {
  const { search } = useTexts(TRACES_TEXTS)
  const [typed, setTyped] = useState(text)
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(text)
  // The URL changed by other means, such as going back.
  useEffect(() => {
    if (text !== sent.current) setTyped(text)
    sent.current = text
  }, [text])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed === sent.current) return
      sent.current = typed
      onChange(typed === '' ? undefined : typed)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, onChange])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <label className={styles.search}>
      <Search size={14} aria-hidden />
      <span className="visually-hidden">{search}</span>
      <input
        ref={field}
        type="search"
        placeholder={search}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <kbd aria-hidden>/</kbd>
    </label>
  )
}
