interface ImportMetaEnv {
  /** The API's origin; empty for the origin that serves the SPA. */
  readonly VITE_API_URL?: string
  /** The product's name. Its default is in vite.config.ts. */
  readonly VITE_APP_NAME: string
}
