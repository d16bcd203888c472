import type { EventStep } from '../fixtures/fixture-case.js'
import { type CapturedValues, resolveTemplate } from '../fixtures/template.js'
import { compare } from './comparison.js'
import type { Mismatch } from './mismatch.js'
import { checkValue, parseJson } from './value.js'

/** An event of a stream. */
export interface StreamEvent {
  readonly event: string
  readonly id?: string
  readonly data: string
}

/**
 * Follows a stream along the steps that are expected of it. Since a step may repeat, an event can fit several: all places in the
 * sequence that fit so far are kept, so that no choice is regretted later.
 */
export class EventSequence {
  readonly #steps: readonly EventStep[]
  readonly #values: CapturedValues
  /** Steps that the next event may be; the number behind the last step stands for the end. */
  #places: ReadonlySet<number>

  constructor(steps: readonly EventStep[], values: CapturedValues) {
    this.#steps = steps
    this.#values = values
    this.#places = this.#reachFrom(0)
  }

  /** Whether the stream may end here. */
  get isComplete(): boolean {
    return this.#places.has(this.#steps.length)
  }

  /** What may come next, in words. */
  get next(): string {
    const names = [...this.#places].map((at) => this.#steps[at]?.event ?? 'the end of the stream')
    return [...new Set(names)].join(' or ')
  }

  /** Takes the next event; what is found is empty where it fits. */
  accept(event: StreamEvent, index: number): Mismatch[] {
    const found: Mismatch[] = []
    const places = new Set<number>()
    for (const at of this.#places) {
      const step = this.#steps[at]
      if (step === undefined || step.event !== event.event) continue
      const mismatches = this.#check(step, event, `event ${index} (${event.event})`)
      if (mismatches.length > 0) {
        found.push(...mismatches)
        continue
      }
      if (step.repeat !== 'one') places.add(at)
      for (const later of this.#reachFrom(at + 1)) places.add(later)
    }
    if (places.size === 0) return found.length > 0 ? found : [this.#surprise(event, index)]
    this.#places = places
    return []
  }

  #surprise({ event, data }: StreamEvent, index: number): Mismatch {
    return { place: `event ${index}`, expected: this.next, actual: `${event} ${data}` }
  }

  /** The step at `from`, and those behind it as long as what stands before them may be left out. */
  #reachFrom(from: number): Set<number> {
    const reached = new Set<number>()
    for (let at = from; at <= this.#steps.length; at += 1) {
      reached.add(at)
      if (this.#steps[at]?.repeat !== 'any') break
    }
    return reached
  }

  #check({ id, data }: EventStep, event: StreamEvent, place: string): Mismatch[] {
    const found = id === undefined ? [] : compare(resolveTemplate(id, this.#values), event.id, 'equals', `${place} id`)
    if (data === undefined) return found
    const json = parseJson(event.data)
    if (json === undefined) return [...found, { place, expected: 'JSON', actual: event.data }]
    return [...found, ...checkValue(data, json.value, this.#values, place)]
  }
}
