import type { ErrorCode } from '@millrace/contract'

const problemTitles: Readonly<Partial<Record<ErrorCode, string>>> = {}

/** Errors: what happened, and what to do. */
export const problems = {
  /** By code, in other languages than that of the reply. */
  problemTitles,
  problems: {
    away: { title: 'The server does not respond', detail: 'The request did not reach the server. What you typed stays here.' },
    bug: 'This page failed',
    typed: 'Not sent: check what you typed',
    offline: 'You are offline. What is on the screen stays; actions need the server.',
    lost: 'Connection lost, trying again. What is on the screen may be out of date.',
    wait: (seconds: number) => `Try again in ${seconds} s.`,
    waits: (seconds: number) => `Many requests; continues in ${seconds} s`,
    waitsBriefly: 'Many requests. The page continues by itself in a moment.',
    forbidden: 'Ask an administrator of your account.',
    modelLimit: 'An administrator can raise the limit under Settings, Model use.',
    operatorLimit: 'The operator of this installation can raise the limit.',
    notFound: 'It was deleted, or it belongs to another account.',
    server: 'Try again. If it stays, send the request id to the operator of this installation.',
    notThere: 'There is nothing here',
    notThereText: 'The address may have a mistake, or what was here was deleted or belongs to another account.',
    noPage: 'There is no such page',
    noPageText: 'The address may have a mistake, or the page was moved.',
  },
  advice: {
    invalid_credentials: 'Check both. Capital letters count in the password.',
    email_taken: 'Sign in with this address, or use another one.',
    account_deleted: 'Open the link in the mail “Your account was deleted”, or register again.',
    password_unacceptable: 'A few unrelated words make a good password.',
    overloaded: 'The server is busy. Try again in a moment.',
    workflow_name_taken: 'Choose another name.',
    workflow_not_published: 'Publish the workflow, then run it.',
    workflow_disabled: 'Enable the workflow, then run it.',
    workflow_invalid: 'Each finding names its line. Mend these lines, then try again.',
    revision_mismatch: 'It was saved elsewhere in between. Load the page again and repeat your change.',
    input_invalid: 'Compare the input with the schema of the workflow.',
    insufficient_scope: 'Your role does not include this. Ask an administrator of your account.',
    key_restricted: 'Use a key that is not limited to workflows.',
    insufficient_role: 'Your role does not include this. Ask an administrator of your account.',
    owner_gated: 'The owner of this installation opens it in the configuration.',
    execution_ended: 'The run has ended. Load the page again to see how.',
    approval_answered: 'You have decided already.',
    approval_decided: 'Others have decided already.',
    approval_closed: 'The run continued or ended, so nothing can be decided any more.',
    dead_letter_replayed: 'A dead letter is replayed once. Open the run that continues it.',
    quota_exceeded: 'The plan of your account allows no more in this period.',
    last_owner: 'Make another person the owner first.',
    model_not_configured:
      'An administrator adds a model under Settings, Models, or the operator of this installation configures one. Everything else works without one.',
    model_unavailable: 'Try again in a moment. If it stays, the operator of this installation checks the model.',
    model_output_invalid: 'Describe it in smaller steps, or choose the thorough model.',
  },
}
