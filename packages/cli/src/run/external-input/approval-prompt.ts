import type { JsonObject } from '@millrace/engine'
import { standardInput } from '#definitions/read-text.ts'
import type { Show } from '#run/progress/create-progress.ts'
import type { Progress } from '#run/progress/task-event.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { askApproval } from './ask-approval.ts'
import type { Verdict } from './approval.ts'
import { describeApproval } from './describe-approval.ts'
import { checkAnswer, parseAnswer } from './given-answers.ts'
import { createLineReader, type LineReader } from './line-reader.ts'

export interface OpenApproval {
  readonly executionId: string
  readonly position: string
  /** The name of the task. */
  readonly name: string
  readonly arguments: JsonObject
  /** When it expires without an answer, in ms since the epoch. */
  readonly deadlineAtMs: number | undefined
}

/** Asks for the decision on approvals without an `--answer`, one at a time. */
export interface ApprovalPrompt {
  /** @returns undefined when the input has ended, or the signal was aborted because the decision is no longer needed */
  ask(approval: OpenApproval, signal: AbortSignal): Promise<Verdict | undefined>
  close(): void
}

/** The options of the command line that decide where answers come from. */
export interface PromptOptions {
  readonly answers: readonly string[]
  readonly eventLines: string | undefined
  readonly show: Show
}

export interface PromptDeps {
  readonly terminal: Terminal
  readonly progress: Progress
  readonly mask: (text: string) => string
}

/** The reason of a signal that was aborted because the deadline has passed. */
export const deadlinePassed = new Error('the deadline has passed')

/** A prompt on the terminal, or one that reads the lines of standard input for `--answer -`; undefined when there is neither. */
export function createApprovalPrompt({ answers, eventLines, show }: PromptOptions, deps: PromptDeps): ApprovalPrompt | undefined {
  const { stdin, stderr } = deps.terminal
  // A program that reads or writes the streams cannot be asked.
  if (eventLines === undefined && stdin.isTTY === true && stderr.isTTY === true && show !== 'json') return createTerminalPrompt(deps)
  return answers.includes(standardInput) ? createLinePrompt(deps) : undefined
}

/** Asks the user at the terminal. */
function createTerminalPrompt({ terminal, progress, mask }: PromptDeps): ApprovalPrompt {
  const { stdin, stderr: output, now } = terminal
  let lines: LineReader | undefined
  return {
    async ask({ arguments: args, deadlineAtMs }, signal) {
      lines ??= createLineReader(stdin)
      const resume = progress.pause()
      const leftMs = deadlineAtMs === undefined ? undefined : deadlineAtMs - now()
      output.write(`\n${describeApproval(args, leftMs, createPaint(output), mask)}\n`)
      try {
        const verdict = await askApproval(args, signal, { lines, output, mask })
        if (verdict === undefined) output.write('\n')
        return verdict
      } catch (error) {
        if (!signal.aborted) throw error
        output.write(signal.reason === deadlinePassed ? '\n  The deadline has passed.\n' : '\n')
        return undefined
      } finally {
        resume()
      }
    },
    close: () => lines?.close(),
  }
}

/** Reads answers from the lines of standard input, in the order of the approvals; an invalid line is refused and the next one is read. */
function createLinePrompt({ terminal, progress }: PromptDeps): ApprovalPrompt {
  const lines = createLineReader(terminal.stdin)
  return {
    async ask({ position, name, arguments: args }, signal) {
      try {
        for (;;) {
          const text = (await lines.next(signal))?.trim()
          if (text === undefined) return undefined
          if (text === '') continue
          const checked = checkAnswer({ value: parseAnswer(text), text }, args)
          if ('verdict' in checked) return checked.verdict
          progress.note({ event: 'answer.refused', position, name, why: checked.why })
        }
      } catch (error) {
        if (!signal.aborted) throw error
        return undefined
      }
    },
    close: () => lines.close(),
  }
}
