import { durationMs } from '@millrace/dsl'
import type { Json } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import type { Terminal } from '#terminal/terminal.ts'
import { approvalOutput, type Verdict } from './approval.ts'
import { type ApprovalPrompt, deadlinePassed, type OpenApproval } from './approval-prompt.ts'
import { checkAnswer, createGivenAnswers, type GivenAnswer } from './given-answers.ts'
import type { OpenWait } from './open-waits.ts'

export interface ApprovalsDeps {
  readonly answers: readonly GivenAnswer[]
  /** Undefined when answers come from `--answer` only. */
  readonly prompt: ApprovalPrompt | undefined
  readonly terminal: Pick<Terminal, 'now' | 'newId'>
  /** Resumes the task with its output. */
  readonly answer: (executionId: string, position: string, value: Json) => void
  /** Reports an `--answer` that the task cannot accept. */
  readonly refused: (position: string, name: string, why: string) => void
}

/** The longest time that a timer can have; no run lasts that long. */
const timerMsMax = 2 ** 31 - 1

/**
 * Decides the approvals of a run: by the given answers, or by the prompt, one approval after another. A deadline runs from the time at which the
 * approval opened, with or without a prompt; it alone does not keep the process alive.
 */
export function createApprovals({ answers, prompt, terminal, answer, refused }: ApprovalsDeps) {
  const answerFor = createGivenAnswers(answers)
  const over = new AbortController()
  let prompting: Promise<void> = Promise.resolve()

  function decide({ executionId, position, arguments: args }: OpenApproval, verdict: Verdict): void {
    const at = new Date(terminal.now()).toISOString()
    answer(executionId, position, approvalOutput(verdict, args, { id: terminal.newId(), at }))
  }

  /** @returns whether the answer was accepted */
  function applyAnswer(approval: OpenApproval, given: GivenAnswer): boolean {
    const checked = checkAnswer(given, approval.arguments)
    if ('why' in checked) refused(approval.position, approval.name, checked.why)
    else decide(approval, checked.verdict)
    return 'verdict' in checked
  }

  /** A signal that is aborted when the decision is no longer needed. */
  function startDeadline(approval: OpenApproval, signal: AbortSignal): AbortSignal {
    const passed = new AbortController()
    const afterMs = (approval.deadlineAtMs ?? Number.POSITIVE_INFINITY) - terminal.now()
    if (afterMs <= timerMsMax) {
      const timer = setTimeout(() => {
        passed.abort(deadlinePassed)
        decide(approval, { decision: 'expire' })
      }, afterMs).unref()
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }
    return AbortSignal.any([signal, passed.signal, over.signal])
  }

  async function ask(approval: OpenApproval, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const verdict = await prompt?.ask(approval, signal)
    if (verdict !== undefined && !signal.aborted) decide(approval, verdict)
  }

  return {
    /** Must be called for every wait that opens. */
    opened({ executionId, wait, signal }: OpenWait, name: string): void {
      const { position, topic, arguments: args } = wait
      if (topic !== 'approve' || !isObject(args)) return
      const afterMs = durationMs(args['deadline'])
      const deadlineAtMs = afterMs === undefined ? undefined : terminal.now() + afterMs
      const approval = { executionId, position, name, arguments: args, deadlineAtMs }
      const given = answerFor(position, name)
      if (given !== undefined && applyAnswer(approval, given)) return
      const either = startDeadline(approval, signal)
      prompting = prompting.then(() => ask(approval, either))
    },
    /** Resolves when the prompt is no longer in use. */
    async close(): Promise<void> {
      over.abort()
      await prompting
      prompt?.close()
    },
  }
}
