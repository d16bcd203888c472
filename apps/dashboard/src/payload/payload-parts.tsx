import { lazy, Suspense, useEffect, useState } from 'react'
import { CopyButton } from '../controls/copy-button.js'
import { Waiting } from '../controls/waiting.js'
import { useTexts } from '../language/texts.js'
import type { PayloadPart } from './call-payload.js'
import type { CodeText } from './code-text.js'
import { CodeView } from './code-view.js'
import styles from './payload.module.css'
import { PAYLOAD_TEXTS } from './payload-texts.js'

/** Longer reports are shown as text: laying them out would hold the page up. */
const MAX_RENDERED_CHARS = 200_000
const MAX_WRAPPED_CHARS = 10_000

const Markdown = lazy(() => import('./markdown.js').then((module) => ({ default: module.Markdown })))

/** The pieces of an answer, each as what it is. */
export function PayloadParts({ parts }: { readonly parts: readonly PayloadPart[] }) {
  const texts = useTexts(PAYLOAD_TEXTS)
  if (parts.length === 0) return <p className={styles.nothing}>{texts.nothing}</p>
  return (
    <div className={styles.parts}>
      {parts.map((part) => (
        <Part key={part.id} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { readonly part: PayloadPart }) {
  switch (part.kind) {
    case 'code':
      return isShortText(part.code) ? (
        <ShortText text={part.code.text} title={part.title} />
      ) : (
        <CodeView code={part.code} title={part.title} />
      )
    case 'markdown':
      return <Report part={part} />
    case 'image':
    case 'audio':
      return <Media part={part} />
    case 'link':
      return (
        <p className={styles.link}>
          {part.title} <code>{part.uri}</code>
        </p>
      )
  }
}

/** Text that has nothing to fold reads best as it is, wrapped; very long text is shown by its lines. */
function isShortText({ text, folds }: CodeText): boolean {
  return text.length <= MAX_WRAPPED_CHARS && folds.every((end) => end === 0)
}

function ShortText({ text, title }: { readonly text: string; readonly title: string }) {
  return (
    <figure className={styles.code}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        <span className={styles.size} />
        <CopyButton text={text} label={title} />
      </figcaption>
      <p className={styles.short}>{text}</p>
    </figure>
  )
}

function Report({ part: { code, title } }: { readonly part: Extract<PayloadPart, { kind: 'markdown' }> }) {
  const texts = useTexts(PAYLOAD_TEXTS)
  const [isSource, setSource] = useState(false)
  if (code.text.length > MAX_RENDERED_CHARS) return <CodeView code={code} title={title} />
  return (
    <div className={styles.report}>
      <div className={styles.caption}>
        <span className={styles.title}>{title}</span>
        <span className={styles.size}>{texts.untrusted}</span>
        <button type="button" className={styles.foldAll} onClick={() => setSource(!isSource)}>
          {isSource ? texts.rendered : texts.source}
        </button>
      </div>
      {isSource ? (
        <CodeView code={code} title={title} />
      ) : (
        <Suspense fallback={<Waiting />}>
          <Markdown text={code.text} title={title} />
        </Suspense>
      )}
    </div>
  )
}

function Media({ part: { kind, blob, title } }: { readonly part: Extract<PayloadPart, { kind: 'image' | 'audio' }> }) {
  const texts = useTexts(PAYLOAD_TEXTS)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return (
    <figure className={styles.media}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
      </figcaption>
      {url !== undefined && kind === 'image' && <img src={url} alt={texts.picture} />}
      {url !== undefined && kind === 'audio' && (
        <audio src={url} controls aria-label={texts.sound}>
          <track kind="captions" />
        </audio>
      )}
    </figure>
  )
}
