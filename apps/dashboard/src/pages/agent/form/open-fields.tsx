import getDefaultRegistry from '@rjsf/core/lib/getDefaultRegistry.js'
import { ADDITIONAL_PROPERTY_FLAG, type Field, type FieldProps, type RJSFSchema } from '@rjsf/utils'
import { JsonField } from './json-field.js'

const { ArrayField, ObjectField } = getDefaultRegistry().fields

/** The fields of what a schema names the parts of are the library's; what it leaves open is written as JSON. */
export const OPEN_FIELDS = {
  ObjectField: jsonWhere(isOpenObject, ObjectField),
  ArrayField: jsonWhere(({ items }) => items === undefined, ArrayField),
  FallbackField: JsonField,
}

function jsonWhere(isOpen: (schema: RJSFSchema) => boolean, Named: Field | undefined): Field {
  return (props: FieldProps) =>
    Named === undefined || isOpen(props.schema) ? <JsonField {...props} /> : <Named {...props} />
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
