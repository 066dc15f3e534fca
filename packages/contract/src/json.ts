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

/** Schema of any JSON object, its members passed through untouched. */
export const JsonObject = z.object({}).catchall(JsonValue)
