import type { Screen } from '../terminal/screen.js'

/** Where one is asked. */
interface Asked {
  readonly stdin: AsyncIterable<Buffer | string>
  readonly err: Screen
}

/** Asks and waits for one line; anything but a yes is a no, and so is the end of the input. */
export async function confirm({ stdin, err }: Asked, question: string): Promise<boolean> {
  err.stream.write(`${question} [y/N] `)
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.includes('\n')) break
  }
  if (!text.includes('\n')) err.line('')
  return /^y(es)?$/i.test(text.trim())
}
