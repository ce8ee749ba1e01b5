interface ImportMetaEnv {
  /** The API's origin; empty if the SPA is served from the same origin. */
  readonly VITE_API_URL?: string
  /** The product's name. Its default is in vite.config.ts. */
  readonly VITE_APP_NAME: string
}
