import { agents } from '#src/messages/ar/agents.ts'
import { approvalStep } from '#src/messages/ar/approval-step.ts'
import { assist } from '#src/messages/ar/assist.ts'
import { capture } from '#src/messages/ar/capture.ts'
import { chains } from '#src/messages/ar/chains.ts'
import { connections } from '#src/messages/ar/connections.ts'
import { ends } from '#src/messages/ar/ends.ts'
import { git } from '#src/messages/ar/git.ts'
import { importing } from '#src/messages/ar/importing.ts'
import { inputFields } from '#src/messages/ar/input-fields.ts'
import { making } from '#src/messages/ar/making.ts'
import { market } from '#src/messages/ar/market.ts'
import { runInput } from '#src/messages/ar/run-input.ts'
import { schedules } from '#src/messages/ar/schedules.ts'
import { startForms } from '#src/messages/ar/start-forms.ts'
import { starting } from '#src/messages/ar/starting.ts'
import { watches } from '#src/messages/ar/watches.ts'

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
