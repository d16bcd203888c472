import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js'
import { ADDITIONAL_PROPERTY_FLAG, type Field, type FieldProps, type RJSFSchema } from '@rjsf/utils'
import { isJsonObject } from '@synchub/protocol'
import { JsonField } from './json-field.js'

const { ArrayField, ObjectField } = getDefaultRegistry().fields

/** The fields of what a schema names the parts of are the library's; what it leaves open is written as JSON. */
export const OPEN_FIELDS = {
  ObjectField: jsonWhere(isOpenObject, ObjectField),
  ArrayField: jsonWhere(({ items }) => saysNothing(items), ArrayField),
  FallbackField: JsonField,
}

function jsonWhere(isOpen: (schema: RJSFSchema) => boolean, Named: Field | undefined): Field {
  return (props: FieldProps) =>
    Named === undefined || isOpen(props.schema) ? (
      <JsonField {...props} />
    ) : (
      <Named {...props} schema={withTitles(props.schema)} />
    )
}

function saysNothing(schema: unknown): boolean {
  return schema === undefined || schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0)
}

/** The library leaves a property out whose schema says nothing; its name alone makes it a field. */
function withTitles(schema: RJSFSchema): RJSFSchema {
  if (!Object.values(schema.properties ?? {}).some(saysNothing)) return schema
  const named = Object.entries(schema.properties ?? {}).map(([name, each]) => [
    name,
    saysNothing(each) ? { title: name } : each,
  ])
  return { ...schema, properties: Object.fromEntries(named) }
}

/** Whether an object may hold more than nothing, and names none of it. */
function isOpenObject({ properties, additionalProperties, anyOf, oneOf }: RJSFSchema): boolean {
  if (additionalProperties === false || anyOf !== undefined || oneOf !== undefined) return false
  if (properties === undefined) return true
  // The library lists here what was written so far, with a mark.
  const named = Object.values(properties).filter(
    (each) => typeof each !== 'object' || !(ADDITIONAL_PROPERTY_FLAG in each),
  )
  return named.length === 0 && additionalProperties !== undefined
}
