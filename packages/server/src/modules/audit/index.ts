export { type AuditEvent, type AuditLog, createAuditLog } from './audit-log.ts'
