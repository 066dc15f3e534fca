import { standardError, WorkflowError } from '@millrace/engine'

/** Only the consent of a person helps; other errors of authentication may pass by themselves. */
export class ConsentNeeded extends WorkflowError {
  constructor(detail: string) {
    super(standardError('authentication', detail).data)
  }
}
