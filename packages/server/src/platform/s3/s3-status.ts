import { S3ServiceError } from 's3mini'

/** What an S3-compatible service answered to a request that it refused; undefined for any other error. */
export function s3Refusal(error: unknown): { readonly status: number; readonly code: string } | undefined {
  return error instanceof S3ServiceError ? { status: error.status, code: error.serviceCode ?? 'Unknown' } : undefined
}
