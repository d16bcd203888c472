import { plainLine, plainText } from './plain-text.js'

/** Takes every secret out of a text. */
export type Redact = (text: string) => string

const PUT_INSTEAD = '[redacted]'
/** What is shorter is in every text by chance, and no secret. */
const MIN_SECRET_LENGTH = 4

/**
 * Makes a function that takes the given secrets out of texts, also where JSON, a URL or this agent itself has written them in its
 * own way: a target may echo the key that it was sent, and a command may print its environment (invariant 9). To be used before a
 * text is cut: half of a secret is not recognised any more.
 */
export function createRedaction(secrets: readonly string[]): Redact {
  const forms = formsOf(secrets)
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, PUT_INSTEAD), text)
}

/** How each secret may stand in a text, the longest first: one may be the beginning of another. */
export function formsOf(secrets: readonly string[]): readonly string[] {
  const forms = secrets
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      plainText(secret),
      plainLine(secret),
    ])
  return [...new Set(forms)]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length)
}
