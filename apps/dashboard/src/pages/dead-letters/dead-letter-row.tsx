import type { DeadLetterView } from '@synchub/protocol'
import { CheckCheck, RotateCw } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '../../controls/button.js'
import { StateMark } from '../../controls/state-mark.js'
import { ERROR_TEXTS } from '../../hub/error-texts.js'
import { readFailure } from '../../hub/failure.js'
import { COMMON_TEXTS } from '../../language/common-texts.js'
import { useFormat } from '../../language/format.js'
import { useTexts } from '../../language/texts.js'
import { useMayResolve } from '../../session/session.js'
import styles from './dead-letters.module.css'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

interface DeadLetterRowProps {
  readonly letter: DeadLetterView
  readonly nowMs: number
  onAsk(action: 'resolve' | 'rerun'): void
}

/** One dead letter: what it was, why it was given up, and what became of it or what to do now. */
export function DeadLetterRow({ letter, nowMs, onAsk }: DeadLetterRowProps) {
  const texts = useTexts(DEAD_LETTER_TEXTS)
  const { rerun } = useTexts(COMMON_TEXTS)
  const errors = useTexts(ERROR_TEXTS)
  const format = useFormat()
  const mayResolve = useMayResolve()
  const {
    callId,
    traceId,
    owner,
    tool,
    agent,
    caller,
    state,
    error,
    resolution,
    createdAt,
    endedAt = createdAt,
  } = letter
  const failure = readFailure(error)
  const endedMs = Date.parse(endedAt)
  const address = `/traces/${encodeURIComponent(traceId)}?${new URLSearchParams({ owner, call: callId }).toString()}`
  return (
    <li className={styles.row}>
      <span className={styles.state}>
        <StateMark state={state} />
      </span>
      <div className={styles.what}>
        <Link href={address} className={styles.tool}>
          {tool}
        </Link>
        <span className={styles.where}>
          {caller} → {agent}
        </span>
        <span className={styles.trace}>{traceId}</span>
      </div>
      <div className={styles.why}>
        {failure !== undefined && (
          <>
            <p>{errors[failure.code].title}</p>
            <p className={styles.words}>{failure.reason}</p>
          </>
        )}
        {resolution !== undefined && (
          <p className={styles.resolution}>
            <CheckCheck size={14} aria-hidden />
            <span>
              {resolution.reason}
              <span className={styles.who}>
                {texts.resolvedBy(resolution.by, format.age(nowMs - Date.parse(resolution.at)))}
              </span>
            </span>
          </p>
        )}
      </div>
      <time className={styles.age} dateTime={endedAt} title={format.instant(endedMs)}>
        {format.age(nowMs - endedMs)}
      </time>
      <span className={styles.actions}>
        <Button aria-label={texts.rerunOf(tool)} onClick={() => onAsk('rerun')}>
          <RotateCw size={13} aria-hidden />
          {rerun}
        </Button>
        {resolution === undefined && mayResolve(owner) && (
          <Button aria-label={texts.resolveOf(tool)} onClick={() => onAsk('resolve')}>
            <CheckCheck size={14} aria-hidden />
            {texts.resolve}
          </Button>
        )}
      </span>
    </li>
  )
}
