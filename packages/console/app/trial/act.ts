/** A hook shared by the cards of the trial: runs one change at a time. */
export type Act = (change: () => Promise<unknown>) => void;

export interface TrialCardProps {
  readonly id: string;
  /** Whether a trial is in progress; savepoints outlive it. */
  readonly isTrial: boolean;
  readonly isBusy: boolean;
  readonly act: Act;
}
