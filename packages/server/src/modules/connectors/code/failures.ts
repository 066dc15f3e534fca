import { standardError, WorkflowError } from '@millrace/engine'
import { NetError } from '#platform/net/net-error.ts'
import { SqlError } from '#platform/sql/sql-query.ts'

/** A failure of the network or a database as an error that a workflow can catch; any other error is a bug and stays one. */
export function serviceError(error: unknown): unknown {
  if (error instanceof NetError) return netFailure(error)
  if (error instanceof SqlError) return sqlFailure(error)
  return error
}

/** 503 where trying again may help, 502 where it does not. */
function netFailure(error: NetError): WorkflowError {
  switch (error.reason) {
    case 'denied':
      return caused(standardError('authorization', error.message), error)
    case 'timeout':
      return caused(standardError('timeout', error.message), error)
    case 'dns':
    case 'connect':
    case 'tls':
      return caused(standardError('communication', error.message), error, unreachable)
    case 'reset':
    case 'protocol':
    case 'too-large':
    case 'redirects':
      return caused(standardError('communication', error.message), error, unusable)
  }
}

function sqlFailure(error: SqlError): WorkflowError {
  switch (error.failure) {
    case 'unreachable':
      return caused(standardError('communication', error.message), error, unreachable)
    case 'denied':
      return caused(standardError('authentication', error.message), error)
    case 'refused':
      return caused(standardError('communication', error.message), error, { status: 502, title: 'Statement refused' })
    case 'timeout':
      return caused(standardError('timeout', error.message), error)
    case 'too-large':
      return caused(standardError('communication', error.message), error, unusable)
  }
}

const unreachable = { status: 503, title: 'Service not reachable' }
const unusable = { status: 502, title: 'Invalid response' }

function caused({ data }: WorkflowError, cause: Error, other: { readonly status?: number; readonly title?: string } = {}): WorkflowError {
  return new WorkflowError({ ...data, ...other }, { cause })
}
