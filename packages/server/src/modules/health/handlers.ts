import type { health } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import type { PartHealth } from './model.ts'
import type { Health } from './service.ts'

/** Handlers of the group `health`. */
export function healthHandlers(service: Health): HandlersFor<typeof health> {
  return {
    live: () => Promise.resolve({ status: 'ok' as const }),
    database: () => service.database(),
    async models() {
      const { status, data } = await service.models()
      return { status, data: data.map(partView) }
    },
    async providers() {
      const { status, data } = await service.providers()
      return { status, data: data.map(partView) }
    },
    async system() {
      const { startedAt, roles, models, providers, ...rest } = await service.system()
      return {
        ...rest,
        startedAt: startedAt.toISOString(),
        roles: [...roles],
        models: models.map(partView),
        providers: providers.map(partView),
      }
    },
  }
}

function partView({ name, configured, reachable, latencyMs, detail }: PartHealth) {
  return { name, configured, reachable, latencyMs, detail }
}
