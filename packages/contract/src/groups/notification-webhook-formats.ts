/** How the URL of a user's notifications gets them: as signed JSON, or as a chat reads them. */
export const notificationWebhookFormats = ['standard', 'slack', 'discord'] as const
