import type { Fault } from '@millrace/contract'
import { standardError, WorkflowError } from '@millrace/engine'

/** A failure of a model in the words of the language: 503 and 429 may succeed later. */
export function modelError(fault: Fault): WorkflowError {
  const detail = fault.message
  if (fault.code === 'model_not_configured') return standardError('configuration', detail)
  if (fault.code === 'consent_required') return standardError('authorization', detail)
  const { data } = standardError('communication', detail)
  const [status, title] = fault.code === 'quota_exceeded' ? [429, 'Token budget used up'] : [503, 'Model not available']
  return new WorkflowError({ ...data, status, title }, { cause: fault })
}
