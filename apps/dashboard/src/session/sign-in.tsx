import { HubError } from '@synchub/protocol'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../controls/button.js'
import { FailureNote } from '../controls/failure-note.js'
import { type Failure, toFailure } from '../hub/failure.js'
import { useTexts } from '../language/texts.js'
import { useSignIn } from './session.js'
import styles from './session.module.css'
import { SESSION_TEXTS } from './session-texts.js'

/** Asks for an API key. It lives in the field alone, and only until it was sent. */
export function SignIn() {
  const texts = useTexts(SESSION_TEXTS)
  const { signIn } = useSignIn()
  const [key, setKey] = useState('')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const fieldId = useId()
  const hintId = useId()

  const send = async (): Promise<void> => {
    setSending(true)
    setFailure(null)
    try {
      await signIn(key.trim())
    } catch (thrown) {
      const isUnknown = thrown instanceof HubError && thrown.code === 'UNAUTHENTICATED'
      setFailure(isUnknown ? { ...toFailure(thrown), reason: '', nextStep: texts.wrongKey } : toFailure(thrown))
      setSending(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim() !== '') void send()
  }

  return (
    <main className={styles.center}>
      <form className={styles.card} onSubmit={submit}>
        <img src="/ui/mark.svg" alt="" width="36" height="36" />
        <h1 className={styles.title}>{texts.title}</h1>
        <label htmlFor={fieldId} className={styles.label}>
          {texts.key}
        </label>
        <input
          id={fieldId}
          className={styles.field}
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          value={key}
          aria-describedby={hintId}
          onChange={(event) => setKey(event.target.value)}
        />
        <p id={hintId} className={styles.hint}>
          {texts.hint}
        </p>
        {failure !== null && <FailureNote failure={failure} />}
        <Button kind="primary" type="submit" isBusy={isSending} disabled={key.trim() === ''}>
          {isSending ? texts.signingIn : texts.signIn}
        </Button>
      </form>
    </main>
  )
}
