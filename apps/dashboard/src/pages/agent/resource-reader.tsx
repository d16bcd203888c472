import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../controls/button.js'
import { useTexts } from '../../language/texts.js'
import styles from './agent.module.css'
import { AGENT_TEXTS } from './agent-texts.js'
import { OfferReading } from './offer-reading.js'

interface ResourceReaderProps {
  readonly name: string
  /** Its URI, or the template of it. */
  readonly pattern: string
  readonly isTemplate?: boolean
}

/** Reads a resource, once a person has said so. */
export function ResourceReader({ name, pattern, isTemplate = false }: ResourceReaderProps) {
  const texts = useTexts(AGENT_TEXTS)
  const [uri, setUri] = useState(pattern)
  const [wanted, setWanted] = useState<{ readonly uri: string; readonly time: number } | null>(null)
  const id = useId()
  const isWhole = uri.trim() !== '' && !/[{}]/.test(uri)
  const read = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole) setWanted((last) => ({ uri: uri.trim(), time: (last?.time ?? 0) + 1 }))
  }
  return (
    <section className={styles.form} aria-label={texts.readTitle(name)}>
      <h2>{texts.readTitle(name)}</h2>
      <form onSubmit={read} className={styles.fields}>
        <label htmlFor={id}>{texts.uri}</label>
        {isTemplate && <p className={styles.hint}>{texts.templateHint}</p>}
        <input
          id={id}
          type="text"
          spellCheck={false}
          value={uri}
          readOnly={!isTemplate}
          onChange={({ target }) => setUri(target.value)}
        />
        <p className={styles.consent}>{texts.readConsent}</p>
        <div>
          <Button kind="primary" type="submit" disabled={!isWhole}>
            {texts.read}
          </Button>
        </div>
      </form>
      {wanted !== null && <OfferReading key={wanted.time} wish={{ kind: 'resource', uri: wanted.uri }} />}
    </section>
  )
}
