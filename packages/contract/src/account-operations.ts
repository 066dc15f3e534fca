/** What a model can read of the account of its agent. None writes. */
export const accountOperations = ['list_workflows', 'get_workflow', 'list_executions', 'get_execution', 'list_triggers'] as const
