import { registerHooks } from 'node:module'

// Loaded before a server of bench/audit.ts: the same server whose operations write no audit events.
const source = `export function createAuditLog() {
  return { async write() {}, async record() {} }
}`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/modules/audit/audit-log.ts') ? { format: 'module', source, shortCircuit: true } : next(url, context),
})
