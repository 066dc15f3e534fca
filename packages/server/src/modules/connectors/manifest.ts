import { JsonObject } from '@millrace/contract'
import * as z from 'zod'

const text = (max: number) => z.string().trim().min(1).max(max)

/** The manifest of a connector: operations of one HTTP service, by name. */
export const Manifest = z.strictObject({
  connector: z.literal('1.0'),
  title: text(200),
  version: z
    .string()
    .regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/)
    .default('1.0.0'),
  description: z.string().max(10_000).optional(),
  servers: z.array(z.string().max(500)).min(1).max(10),
  authentication: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('none') }),
      z.strictObject({ kind: z.literal('bearer') }),
      z.strictObject({ kind: z.literal('basic') }),
      z.strictObject({ kind: z.literal('apiKey'), in: z.enum(['header', 'query', 'path']), name: text(100) }),
    ])
    .default({ kind: 'none' }),
  /** Sent with every request, such as the version of the API. Credentials are the matter of the connection. */
  headers: z
    .record(
      z
        .string()
        .regex(
          /^(?!(?:authorization|connection|content-.*|cookie|expect|host|idempotency-key|proxy-.*|te|trailer|transfer-encoding|upgrade)$)[a-z][a-z0-9-]{0,99}$/,
        ),
      z.string().regex(/^[\x20-\x7e]{1,200}$/),
    )
    .optional(),
  /** A success whose member has this value is a refusal; `detail` is the member that says why. */
  refusal: z.strictObject({ member: text(100), equals: z.union([z.boolean(), z.string().max(200)]), detail: text(100) }).optional(),
  operations: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/),
        summary: text(300),
        method: z.enum(['get', 'put', 'post', 'delete', 'patch', 'head']),
        path: z.string().startsWith('/').max(500),
        /** How parameters in the body are sent. */
        encoding: z.enum(['json', 'form']).default('json'),
        parameters: z
          .record(
            z.string().max(100),
            z.strictObject({
              in: z.enum(['path', 'query', 'header', 'body']),
              description: z.string().max(1_000).optional(),
              required: z.boolean().optional(),
              schema: JsonObject.optional(),
            }),
          )
          .default({}),
        response: JsonObject.optional(),
      }),
    )
    .min(1)
    .max(500),
})

export type Manifest = z.output<typeof Manifest>
