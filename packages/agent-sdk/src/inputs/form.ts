import { isJsonObject, type JsonObject } from '@synchub/protocol'
import { compileSchema, type SchemaCheck } from '../tools/schema.js'
import type { Complaint } from './complaint.js'

/** A form that the caller is asked to fill in. */
export interface InputForm {
  /** What is asked, for people. */
  readonly message: string
  /** JSON Schema of an object whose properties are texts, numbers, booleans or choices: a flat form (MCP, elicitation). */
  readonly schema: JsonObject
}

/** What the caller did with a form; only `accept` has its content, and that keeps the schema. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content: JsonObject }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

const FIELD_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/**
 * Refuses a form that clients could not show: a slip of its author.
 * @throws Error naming the form and the place
 */
export function checkForm(name: string, { message, schema }: InputForm): void {
  if (typeof message !== 'string' || message === '') throw new Error(`the form ${name} needs a message`)
  const { properties } = schema
  if (schema.type !== 'object' || !isJsonObject(properties)) {
    throw new Error(`the form ${name}: its schema must be of type "object" and have properties`)
  }
  for (const [field, value] of Object.entries(properties)) {
    const isChoice = isJsonObject(value) && value.type === 'array' && isJsonObject(value.items) && !value.items.type
    const isText = isJsonObject(value) && isJsonObject(value.items) && value.items.type === 'string'
    if (isJsonObject(value) && (FIELD_TYPES.has(value.type) || isChoice || (value.type === 'array' && isText))) continue
    throw new Error(`the form ${name}: ${field} must be a text, a number, a boolean or a choice; forms are flat`)
  }
  compileForm(schema)
}

/** Reads an answer as it came: nothing in it is believed. */
export function readFormAnswer({ schema }: InputForm, { action, content = {} }: JsonObject): FormAnswer | Complaint {
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept') return { complaint: 'the action must be accept, decline or cancel' }
  if (!isJsonObject(content)) return { complaint: 'the content is no object' }
  const violation = compileForm(schema)(content)
  return violation === undefined ? { action, content } : { complaint: violation.reason }
}

/** A field that the form does not have was not asked for. */
function compileForm(schema: JsonObject): SchemaCheck {
  return compileSchema({ additionalProperties: false, ...schema })
}
