import { Fault, type health } from '@millrace/contract'
import type { HandlersFor } from '#platform/http/index.ts'
import { type PartHealth, processRoles } from './model.ts'
import type { Health } from './service.ts'

/** Handlers of the group `health`. */
export function healthHandlers(service: Health): HandlersFor<typeof health> {
  return {
    live: () => Promise.resolve({ status: 'ok' as const }),
    async ready() {
      if (!(await service.ready()))
        throw new Fault('database_unavailable', { detail: 'The database does not respond, cannot write, or lacks migrations.' })
      return { status: 'ok' as const }
    },
    database: () => service.database(),
    async models({ accountId }) {
      const { status, data } = await service.models(accountId)
      return { status, data: data.map(partView) }
    },
    async providers() {
      const { status, data } = await service.providers()
      return { status, data: data.map(partView) }
    },
    async system() {
      const { startedAt, roles, models, providers, processes, missingRoles, mailTrouble, ...rest } = await service.system()
      return {
        ...rest,
        startedAt: startedAt.toISOString(),
        roles: [...roles],
        processes: processes.map(({ host, pid, roles: ofProcess, startedAt: since, heartbeatAt }) => ({
          host,
          pid,
          roles: processRoles.filter((role) => ofProcess.includes(role)),
          startedAt: since.toISOString(),
          heartbeatAt: heartbeatAt.toISOString(),
        })),
        missingRoles: [...missingRoles],
        models: models.map(partView),
        providers: providers.map(partView),
        mailTrouble:
          mailTrouble === undefined
            ? null
            : { since: mailTrouble.since.toISOString(), failures: mailTrouble.failures, reason: mailTrouble.reason },
      }
    },
    async testMail({ accountId, userId }) {
      const { outcome, to, server, detail, answer } = await service.testMail({ accountId, userId })
      return { outcome, to, server: server ?? null, detail, answer: answer ?? null }
    },
  }
}

function partView({ name, configured, reachable, latencyMs, detail }: PartHealth) {
  return { name, configured, reachable, latencyMs, detail }
}
