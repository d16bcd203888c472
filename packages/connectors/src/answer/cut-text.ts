/**
 * The beginning of a text, without a word that would be cut in two: what is secret in it is masked later, and half of a secret would
 * not be recognised any more.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const kept = text.slice(0, maxLength)
  return `${/\s/.test(text.charAt(maxLength)) ? kept : kept.replace(/\S+$/, '')}...`
}
