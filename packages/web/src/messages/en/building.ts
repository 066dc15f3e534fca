import { agents } from '#src/messages/en/agents.ts'
import { approvalStep } from '#src/messages/en/approval-step.ts'
import { assist } from '#src/messages/en/assist.ts'
import { capture } from '#src/messages/en/capture.ts'
import { chains } from '#src/messages/en/chains.ts'
import { connections } from '#src/messages/en/connections.ts'
import { ends } from '#src/messages/en/ends.ts'
import { git } from '#src/messages/en/git.ts'
import { importing } from '#src/messages/en/importing.ts'
import { inputFields } from '#src/messages/en/input-fields.ts'
import { making } from '#src/messages/en/making.ts'
import { market } from '#src/messages/en/market.ts'
import { runInput } from '#src/messages/en/run-input.ts'
import { schedules } from '#src/messages/en/schedules.ts'
import { startForms } from '#src/messages/en/start-forms.ts'
import { starting } from '#src/messages/en/starting.ts'
import { watches } from '#src/messages/en/watches.ts'

/** Texts of what workflows are made from, and of what helps with it. */
export const building = {
  ...agents,
  ...approvalStep,
  ...assist,
  ...capture,
  ...chains,
  ...connections,
  ...ends,
  ...git,
  ...importing,
  ...inputFields,
  ...making,
  ...market,
  ...runInput,
  ...schedules,
  ...startForms,
  ...starting,
  ...watches,
}
