import { MailCheck } from 'lucide-react'
import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { EmptyNote } from '../../controls/empty-note.js'
import { useTexts } from '../../language/texts.js'
import { BulkBar } from '../traces/bulk-bar.js'
import { useSelection } from '../traces/selection.js'
import { TraceListBody } from '../traces/trace-list-body.js'
import { type TraceWish, writeWish } from '../traces/trace-query.js'
import { useTraceList } from '../traces/use-trace-list.js'
import styles from './dead-letters.module.css'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

/** The traces with a call that ended `unknown`, which the list calls by that worst of its states. */
const SEARCH = 'state=unknown'

/** Traces that wait for a person to find out what became of them. */
export function DeadLettersPage() {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const [, go] = useLocation()
  const { list, view } = useTraceList(SEARCH)
  const selection = useSelection(view.traces)
  const narrow = useCallback((wish: TraceWish) => go(`/traces?${writeWish(new URLSearchParams(SEARCH), wish)}`), [go])
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.headline}>
          <h1>{texts.name}</h1>
          <BulkBar
            traces={selection.traces}
            selectedCount={selection.traces.length}
            mayActOnAll={false}
            onClear={selection.clear}
          />
        </div>
        <p className={styles.hint}>{texts.hint}</p>
      </header>
      <TraceListBody
        list={list}
        view={view}
        selection={selection}
        empty={
          <EmptyNote icon={MailCheck} title={texts.none}>
            <p>{texts.noneHint}</p>
          </EmptyNote>
        }
        onNarrow={narrow}
      />
    </div>
  )
}
