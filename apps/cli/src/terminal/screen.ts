import type { WriteStream } from 'node:tty'
import picocolors from 'picocolors'

/** Colours for one stream: each function gives the text back as it is where colours are off. */
export type Colors = ReturnType<typeof picocolors.createColors>

/** A stream that text for people goes to: standard output, standard error, or a pipe. */
export interface TextStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  hasColors?: WriteStream['hasColors']
}

/** How a stream may be written to. */
export interface ScreenOptions {
  /** Colours; by default where the stream is a terminal that has them. */
  readonly color?: boolean | undefined
  /** Redraw in place; by default where the stream is a terminal. */
  readonly live?: boolean | undefined
}

/** A stream with what it can do. */
export interface Screen {
  readonly stream: TextStream
  readonly colors: Colors
  readonly live: boolean
  /** Writes one line. */
  readonly line: (text: string) => void
}

/** Finds out what a stream can do. */
export function createScreen(stream: TextStream, { color, live }: ScreenOptions = {}): Screen {
  const isTerminal = stream.isTTY === true
  return {
    stream,
    colors: picocolors.createColors(color ?? (isTerminal && stream.hasColors?.() === true)),
    live: live ?? isTerminal,
    line: (text) => void stream.write(`${text}\n`),
  }
}
