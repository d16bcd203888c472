import { requireList, requireObject } from '../json-rpc/answer-shape.js'
import type { JsonObject } from '../json-rpc/frame.js'
import { checkResourceContents } from '../tools/content.js'

/** The result of `resources/read`: the contents as the agent sent them. */
export interface ResourceReading {
  readonly contents: readonly JsonObject[]
}

/** Checks what an agent sent as the result of `resources/read`. @throws AnswerShapeError naming the place */
export function parseResourceReading(value: unknown): ResourceReading {
  const contents = requireList(requireObject(value, 'result').contents, 'result.contents')
  return {
    contents: contents.map((item, index) => {
      const place = `result.contents.${index}`
      checkResourceContents(item, place)
      return requireObject(item, place)
    }),
  }
}
