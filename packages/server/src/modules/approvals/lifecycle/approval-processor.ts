import { type SendDeps, sendMails } from '#modules/approvals/mail/send-mails.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import { closeAbandoned, type DueApprovalDeps, processDueApproval } from './process-due.ts'

export interface ApprovalProcessorDeps extends Omit<DueApprovalDeps, 'mails'>, Omit<SendDeps, 'mailer'> {
  /** `undefined` where the installation sends no mail. */
  readonly mailer: Mailer | undefined
}

/** The background work of approvals: invitations, escalations, deadlines and mails. */
export interface ApprovalProcessor {
  /** One pass over due approvals. */
  processDue(): Promise<void>
  /** One pass over due mails. */
  sendMails(): Promise<void>
  /** Runs both periodically until stopped. */
  start(): void
  stop(): Promise<void>
}

const intervalMs = 1_000
/** Bounds one pass, and with it the time that stopping takes. */
const roundsMax = 500

/** Any number of processes may run a processor: each skips the rows that another one has locked. */
export function createApprovalProcessor(deps: ApprovalProcessorDeps): ApprovalProcessor {
  const { mailer } = deps
  const aborter = new AbortController()
  const { signal } = aborter
  const dueDeps = { ...deps, mails: mailer !== undefined }

  async function repeat(round: () => Promise<boolean>): Promise<void> {
    for (let rounds = 0; rounds < roundsMax && !signal.aborted && (await round()); rounds++);
  }
  async function processDue(): Promise<void> {
    await repeat(() => closeAbandoned(dueDeps))
    await repeat(() => processDueApproval(dueDeps))
  }
  async function sendDueMails(): Promise<void> {
    if (mailer !== undefined) await repeat(() => sendMails({ ...deps, mailer }, signal))
  }

  let tasks: readonly Periodic[] = []
  return {
    processDue,
    sendMails: sendDueMails,
    start() {
      // Two independent tasks, so that a mail server that does not respond delays no deadline.
      const sending = runPeriodically(sendDueMails, deps.warn)
      const processing = runPeriodically(() => processDue().then(sending.wake), deps.warn)
      tasks = [processing, sending]
    },
    async stop() {
      aborter.abort()
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}

interface Periodic {
  wake(): void
  stop(): Promise<void>
}

function runPeriodically(act: () => Promise<void>, warn: ApprovalProcessorDeps['warn']): Periodic {
  let running: Promise<void> | undefined
  const wake = () => {
    running ??= act()
      .catch((error: unknown) => warn('approvals could not be processed', { error }))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(wake, intervalMs)
  return {
    wake,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
