import type { Prompt } from '@synchub/protocol'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../controls/button.js'
import { useTexts } from '../../language/texts.js'
import styles from './agent.module.css'
import { AGENT_TEXTS } from './agent-texts.js'
import { OfferReading } from './offer-reading.js'

type Arguments = Readonly<Record<string, string>>

/** Fills a prompt in, once a person has chosen it and said so, and shows what the agent made of it. Nothing is run. */
export function PromptForm({ prompt }: { readonly prompt: Prompt }) {
  const texts = useTexts(AGENT_TEXTS)
  const { name, title = name, description, arguments: wanted = [] } = prompt
  const [values, setValues] = useState<Arguments>({})
  const [shown, setShown] = useState<{ readonly values: Arguments; readonly time: number } | null>(null)
  const id = useId()
  const isWhole = wanted.every((each) => each.required !== true || (values[each.name] ?? '') !== '')
  const show = (event: FormEvent) => {
    event.preventDefault()
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
    if (isWhole) setShown((last) => ({ values: given, time: (last?.time ?? 0) + 1 }))
  }
  return (
    <section className={styles.form} aria-label={texts.promptTitle(title)}>
      <h2>{texts.promptTitle(title)}</h2>
      {description !== undefined && (
        <p className={styles.description} title={texts.unverified}>
          {description}
        </p>
      )}
      <form onSubmit={show} className={styles.fields}>
        {wanted.map((each, at) => (
          <div key={each.name} className={styles.argument}>
            <label htmlFor={`${id}-${at}`}>
              {each.title ?? each.name}
              {each.required === true && <span className="required"> *</span>}
            </label>
            {each.description !== undefined && <p className={styles.hint}>{each.description}</p>}
            <input
              id={`${id}-${at}`}
              type="text"
              required={each.required === true}
              value={values[each.name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [each.name]: target.value })}
            />
          </div>
        ))}
        <p className={styles.consent}>{texts.promptConsent}</p>
        <div>
          <Button kind="primary" type="submit" disabled={!isWhole}>
            {texts.fillIn}
          </Button>
        </div>
      </form>
      {shown !== null && <OfferReading key={shown.time} wish={{ kind: 'prompt', name, arguments: shown.values }} />}
    </section>
  )
}
