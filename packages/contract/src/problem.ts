import * as z from 'zod'

/** An invalid part of a request. */
export const InvalidPart = z.object({
  pointer: z.string().describe('JSON Pointer into the part of the request that `in` names.'),
  detail: z.string().describe('What is wrong with it.'),
  in: z.enum(['body', 'query', 'header']).optional().describe('The part of the request; absent for the body.'),
})
export type InvalidPart = z.output<typeof InvalidPart>

/** An error response: RFC 9457 problem details with further members. */
export const Problem = z
  .looseObject({
    type: z.string().describe('Reference that identifies the kind of problem; it resolves to its description.'),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().describe('Path of the request.'),
    code: z.string().describe('Stable name of the error in snake_case; programs rely on it.'),
    requestId: z.string().describe('The `X-Request-ID` of this response; quote it to support.'),
    errors: z.array(InvalidPart).optional().describe('What is wrong with the request, part by part.'),
  })
  .meta({ id: 'Problem', description: 'An error: RFC 9457 problem details.' })
export type Problem = z.output<typeof Problem>
