/** Takes every secret out of a text. */
export type Redact = (text: string) => string

const PUT_INSTEAD = '[redacted]'
/** What is shorter is in every text by chance, and no secret. */
const MIN_SECRET_LENGTH = 4

/**
 * Makes a function that takes the given secrets out of texts, also where JSON or a URL has written them in its own way: a target
 * may echo the key that it was sent, and a command may print its environment (invariant 9).
 */
export function createRedaction(secrets: readonly string[]): Redact {
  const forms = secrets.flatMap((secret) =>
    secret.length < MIN_SECRET_LENGTH ? [] : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
  )
  // The longest first: one secret may be the beginning of another.
  const ordered = [...new Set(forms)].toSorted((one, other) => other.length - one.length)
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, PUT_INSTEAD), text)
}
