/** Only some browsers report their network. */
const network = () =>
  ('connection' in navigator ? navigator.connection : {}) as { saveData?: boolean; effectiveType?: string }

export const savesData = (): boolean => network().saveData === true

export const isSlow = (): boolean => (network().effectiveType ?? '4g') !== '4g'
