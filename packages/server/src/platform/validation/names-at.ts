import { z } from 'zod'

/** The names of the members that a value may have at a path below a schema: of all its forms there. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  return [...new Set(objectsAt(schema, path).flatMap(({ shape }) => Object.keys(shape)))]
}

function objectsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly z.ZodObject[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsAt(option, path))
  if (schema instanceof z.ZodPipe) return objectsAt(schema.in, path)
  if (schema instanceof z.ZodLazy) return path.length === 0 ? [] : objectsAt(schema.unwrap(), path)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return objectsAt(schema.unwrap(), path)
  const [token, ...rest] = path
  if (token === undefined) return schema instanceof z.ZodObject ? [schema] : []
  if (schema instanceof z.ZodArray) return objectsAt(schema.element, rest)
  if (schema instanceof z.ZodRecord) return objectsAt(schema.valueType, rest)
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {}
  const member = typeof token === 'string' && Object.hasOwn(shape, token) ? shape[token] : undefined
  return member === undefined ? [] : objectsAt(member, rest)
}
