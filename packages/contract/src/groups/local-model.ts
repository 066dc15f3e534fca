import * as z from 'zod'
import { operation } from '#src/operation.ts'

const Ping = z
  .object({
    reachable: z.literal(true),
    version: z.string().describe('Version of the runtime.'),
    latencyMs: z.number().describe('Time of one round trip in milliseconds.'),
  })
  .meta({ id: 'LocalModelPing' })

const base = {
  method: 'GET',
  stability: 'beta',
  auth: { scope: 'agents:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  errors: ['model_not_configured', 'model_unavailable'],
} as const

const ping = operation({
  ...base,
  id: 'agent.localModelPing',
  path: '/api/v1/agent/localmodel/ping',
  summary: 'Check whether the local model runtime responds',
  description:
    'Responds with 503 and `model_not_configured` without a runtime, and `model_unavailable` if it does not respond within 5 seconds.',
  reply: Ping,
})

const status = operation({
  ...base,
  id: 'agent.localModelStatus',
  path: '/api/v1/agent/localmodel/status',
  summary: 'Read the state of the local model runtime',
  description: 'Its version, the models that it has, and which of them are loaded into memory.',
  reply: Ping.extend({
    models: z
      .array(
        z.object({
          name: z.string(),
          sizeBytes: z.number().nullable(),
          parameters: z.string().nullable().describe('Number of parameters, such as `7B`.'),
          quantization: z.string().nullable(),
          loaded: z.boolean().describe('Whether it is in memory, so that it responds without loading first.'),
        }),
      )
      .describe('At most 200.'),
  }).meta({ id: 'LocalModelStatus' }),
})

/** The local model runtime. */
export const localModel = { ping, status } as const
