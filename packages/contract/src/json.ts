import * as z from 'zod'

/** Any JSON value; the engine's `Json` is the same type. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/**
 * Schema of any JSON value, passed through untouched.
 *
 * The cast narrows `unknown`: what reaches it was parsed from JSON by the transport, which is where depth, width and text are checked, and
 * walking the value a second time here would cost more than everything else that validation does.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above: JSON is what the transport lets through.
export const JsonValue = z.unknown().meta({ description: 'Any JSON value.' }) as unknown as z.ZodType<JsonValue, JsonValue>

interface Members {
  readonly [key: string]: JsonValue
}

const anyObject = z
  .unknown()
  .superRefine((value, ctx) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      ctx.addIssue({ code: 'invalid_type', expected: 'object', input: value })
  })
  .meta({ type: 'object', properties: {}, additionalProperties: { description: 'Any JSON value.' } })

/**
 * Schema of any JSON object, its members passed through untouched.
 *
 * An object with a catchall would drop the member `__proto__`, which JSON may have.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The check above, and what the transport lets through.
export const JsonObject = anyObject as unknown as z.ZodType<Members, Members>
