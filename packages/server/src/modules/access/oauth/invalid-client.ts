import { Fault } from '@millrace/contract'

/** The Fault for a client that cannot be used. */
export function invalidClient(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '/client_id', detail }] })
}
