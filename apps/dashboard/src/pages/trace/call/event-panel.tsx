import type { TraceEventItem } from '@synchub/client'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from '../../../controls/button.js'
import { CopyButton } from '../../../controls/copy-button.js'
import { FailureNote } from '../../../controls/failure-note.js'
import { readFailure } from '../../../hub/failure.js'
import { COMMON_TEXTS } from '../../../language/common-texts.js'
import { useFormat } from '../../../language/format.js'
import { useTexts } from '../../../language/texts.js'
import { toJsonText } from '../../../payload/code-text.js'
import { CodeView } from '../../../payload/code-view.js'
import { takeLostFocus } from '../../../screen/lost-focus.js'
import { TRACE_TEXTS } from '../trace-texts.js'
import styles from './panel.module.css'

interface EventPanelProps {
  readonly event: TraceEventItem
  onClose(): void
  onGoToCall(): void
}

/** Everything about one event. */
export function EventPanel({ event, onClose, onGoToCall }: EventPanelProps) {
  const texts = useTexts(TRACE_TEXTS)
  const common = useTexts(COMMON_TEXTS)
  const format = useFormat()
  const { data } = event
  const code = useMemo(() => toJsonText(data), [data])
  const failure = 'error' in data ? readFailure(data.error) : undefined
  return (
    <aside className={styles.panel} aria-label={texts.details}>
      <header className={styles.head}>
        <h2 ref={takeLostFocus} className={styles.title} tabIndex={-1}>
          {texts.event} {format.number(data.seq)} · {texts.events[event.event]}
        </h2>
        <CopyButton text={() => globalThis.location.href} label={texts.linkToEvent} />
        <button type="button" className={styles.close} aria-label={common.close} title={common.close} onClick={onClose}>
          <X size={15} aria-hidden />
        </button>
      </header>
      <div className={styles.body}>
        <p className={styles.state}>
          {data.tool} · {format.instant(Date.parse(data.at))}
        </p>
        {failure !== undefined && <FailureNote failure={failure} />}
        <CodeView code={code} title={event.event} />
        <Button className={styles.go} onClick={onGoToCall}>
          {texts.toCall}
        </Button>
      </div>
    </aside>
  )
}
