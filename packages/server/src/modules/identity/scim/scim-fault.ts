/** A refusal in the terms of RFC 7644, section 3.12. */
export class ScimFault extends Error {
  override readonly name = 'ScimFault'
  readonly status: number
  readonly scimType: string | undefined

  constructor(status: number, detail: string, scimType?: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** A body or parameter that is not valid. */
export function invalidValue(detail: string): ScimFault {
  return new ScimFault(400, detail, 'invalidValue')
}
