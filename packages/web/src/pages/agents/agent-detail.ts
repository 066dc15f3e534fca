import type { groups, Reply } from '@millrace/contract'

export type AgentDetail = Reply<(typeof groups)['agent']['getRun']>
