import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../controls/copy-button.js'
import { useFormat } from '../language/format.js'
import { useTexts } from '../language/texts.js'
import { makeReachable } from '../screen/reachable.js'
import { type CodeText, lineOf } from './code-text.js'
import styles from './payload.module.css'
import { PAYLOAD_TEXTS } from './payload-texts.js'

interface CodeViewProps {
  readonly code: CodeText
  readonly title: string
}

/** What can be pressed in a line needs as much (WCAG 2.5.8). */
const LINE_PX = 24
/** Lines of which a view is high at most before it scrolls. */
const MAX_LINES = 20
/** A line may be megabytes long; nobody reads that, and it can be copied. */
const MAX_LINE_CHARS = 1500

/** A text of any length: only the lines in sight are there, and what is opened in one can be folded. */
export function CodeView({ code, title }: CodeViewProps) {
  const texts = useTexts(PAYLOAD_TEXTS)
  const format = useFormat()
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const lines = useMemo(() => shownLines(code, folded), [code, folded])
  const scroller = useRef<HTMLElement>(null)
  const reachable = useCallback((element: HTMLElement | null) => {
    scroller.current = element
    makeReachable(element)
  }, [])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 10,
  })
  const toggle = (line: number) => {
    const next = new Set(folded)
    if (!next.delete(line)) next.add(line)
    setFolded(next)
  }
  const foldAll = () => setFolded(folded.size > 0 ? new Set() : topFolds(code))
  const digits = String(code.starts.length).length
  return (
    <figure className={styles.code}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        <span className={styles.size}>{format.bytes(code.text.length)}</span>
        {code.folds.some((end) => end > 0) && (
          <button type="button" className={styles.foldAll} onClick={foldAll}>
            {folded.size > 0 ? texts.unfold : texts.fold}
          </button>
        )}
        <CopyButton text={code.text} label={title} />
      </figcaption>
      <section
        ref={reachable}
        className={styles.lines}
        style={{ height: Math.min(lines.length, MAX_LINES) * LINE_PX + 16 }}
        aria-label={title}
      >
        <div className={styles.total} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const line = lines[index] ?? 0
            const { shown, cut } = lineOf(code, line, MAX_LINE_CHARS)
            const closes = code.folds[line] ?? 0
            return (
              <div key={line} className={styles.line} style={{ transform: `translateY(${start}px)` }}>
                <span className={styles.number} style={{ width: `${digits + 1}ch` }}>
                  {line + 1}
                </span>
                {closes > 0 ? (
                  <button
                    type="button"
                    className={styles.fold}
                    aria-label={folded.has(line) ? texts.unfold : texts.fold}
                    onClick={() => toggle(line)}
                  >
                    {folded.has(line) ? <ChevronRight size={12} aria-hidden /> : <ChevronDown size={12} aria-hidden />}
                  </button>
                ) : (
                  <span className={styles.fold} />
                )}
                <code>
                  {shown}
                  {folded.has(line) && (
                    <span className={styles.rest}> {texts.hiddenLines(format.number(closes - line))}</span>
                  )}
                  {cut > 0 && <span className={styles.rest}> {texts.cutChars(format.number(cut))}</span>}
                </code>
              </div>
            )
          })}
        </div>
      </section>
    </figure>
  )
}

function shownLines({ starts, folds }: CodeText, folded: ReadonlySet<number>): Uint32Array {
  const lines = new Uint32Array(starts.length)
  let count = 0
  for (let line = 0; line < starts.length; line++) {
    lines[count++] = line
    if (folded.has(line)) line = folds[line] ?? line
  }
  return lines.slice(0, count)
}

/** What lies right below the outermost bracket. */
function topFolds({ folds }: CodeText): ReadonlySet<number> {
  const tops = new Set<number>()
  for (let line = 1; line < folds.length; line++) {
    const end = folds[line] ?? 0
    if (end === 0) continue
    tops.add(line)
    line = end
  }
  return tops.size > 0 ? tops : new Set([0])
}
