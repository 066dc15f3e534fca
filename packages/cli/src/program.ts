import { dispatch } from '#command/dispatch.ts'
import { exitCodes } from '#command/exit-code.ts'
import { readVersion } from '#command/version.ts'
import { createProcessTerminal } from '#terminal/process-terminal.ts'
import { backupCommand } from './backup/backup-command.ts'
import { restoreCommand } from './backup/restore-command.ts'
import { diffCommand } from './diff/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { fixCommand } from './fix/command.ts'
import { fmtCommand } from './fmt/command.ts'
import { importCommand } from './import/command.ts'
import { keysCommand } from './keys/command.ts'
import { migrateCommand } from './migrate/command.ts'
import { remoteCommands } from './remote/commands.ts'
import { retentionCommand } from './retention/command.ts'
import { runCommand } from './run/command.ts'
import { startCommand } from './start/command.ts'
import { validateCommand } from './validate/command.ts'
import { verifyCommand } from './verify/command.ts'

/** The commands of `millrace`. */
export const program = {
  version: readVersion(),
  commands: [
    startCommand,
    runCommand,
    validateCommand,
    ...remoteCommands,
    fixCommand,
    fmtCommand,
    diffCommand,
    importCommand,
    migrateCommand,
    backupCommand,
    restoreCommand,
    keysCommand,
    retentionCommand,
    doctorCommand,
    verifyCommand,
  ],
}

/** Does what the arguments of this process say, and sets its exit code. */
export async function runProgram(): Promise<void> {
  const terminal = createProcessTerminal()
  process.exitCode = await dispatch(program, process.argv.slice(2), terminal)
  // After Ctrl-C the process does not wait for work that is still in progress.
  if (process.exitCode === exitCodes.interrupted) terminal.exit(exitCodes.interrupted)
}
