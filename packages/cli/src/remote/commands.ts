import { cancelCommand } from './cancel-command.ts'
import { deployCommand } from './deploy-command.ts'
import { executionsCommand } from './executions-command.ts'
import { loginCommand } from './login-command.ts'
import { logsCommand } from './logs-command.ts'
import { rollbackCommand } from './rollback-command.ts'
import { startsCommand } from './starts-command.ts'
import { usersCommand } from './users-command.ts'
import { variablesCommand } from './variables-command.ts'

/** The commands for a running server. */
export const remoteCommands = [
  loginCommand,
  deployCommand,
  rollbackCommand,
  executionsCommand,
  logsCommand,
  cancelCommand,
  usersCommand,
  startsCommand,
  variablesCommand,
] as const
