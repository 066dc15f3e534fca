import type { escalations as english } from '#src/messages/en/escalations.ts'

/** What follows while no one decides: the cards of approvals that have it load them themselves. */
export const escalations: typeof english = {
  also: (time, who) => `إن لم يُتخذ قرار حتى ${time} أمكن أن يقرر أيضًا: ${who}.`,
  instead: (time, who) => `إن لم يُتخذ قرار حتى ${time} انتقل القرار إلى: ${who}.`,
  notice: (time, who) => `إن لم يُتخذ قرار حتى ${time} أُرسل إشعار إلى: ${who}.`,
}
