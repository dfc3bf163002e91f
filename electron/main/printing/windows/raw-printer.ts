/**
 * Hands bytes to a Windows queue as they are, past its driver. PowerShell has no command for that, so its script compiles
 * a few calls of the spooler (winspool.h).
 */
import * as v from 'valibot'
import type { PrintFault } from '../../../contract/printing.ts'
import { notPrinted } from '../print-job.ts'

/**
 * The spooler's calls in C# 5, which Windows PowerShell 5.1 compiles with .NET Framework. `Print` hands over all bytes as
 * one document, and returns the call that failed with its Windows error and the bytes that were written until then. It
 * contains no apostrophe: the script quotes it with them.
 *
 * A driver that prints by XPS (every driver of type 4) takes `RAW` for XPS and prints nothing; `XPS_PASS` passes the
 * bytes through (Microsoft's support article 2779300).
 */
export const RAW_PRINTER_SOURCE = `
using System;
using System.Runtime.InteropServices;

public sealed class RawPrinterResult
{
    public string Call;
    public int Error;
    public int Written;
}

public static class RawPrinter
{
    [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
    struct DocInfo1
    {
        public string Name;
        public string OutputFile;
        public string DataType;
    }

    [StructLayout(LayoutKind.Sequential)]
    struct DriverInfo8
    {
        public int Version;
        public IntPtr Name, Environment, DriverPath, DataFile, ConfigFile, HelpFile, DependentFiles, MonitorName;
        public IntPtr DefaultDataType, PreviousNames;
        public System.Runtime.InteropServices.ComTypes.FILETIME Date;
        public long DriverVersion;
        public IntPtr Maker, MakerUrl, HardwareId, Provider, PrintProcessor, VendorSetup, ColorProfiles, InfPath;
        public int Attributes;
        public IntPtr CoreDependencies;
        public System.Runtime.InteropServices.ComTypes.FILETIME MinInboxDate;
        public long MinInboxVersion;
    }

    const int PRINTER_DRIVER_XPS = 2;

    [DllImport("winspool.drv", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    static extern bool OpenPrinterW(string name, out IntPtr printer, IntPtr defaults);
    [DllImport("winspool.drv", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    static extern bool GetPrinterDriverW(
        IntPtr printer, string environment, int level, IntPtr info, int size, out int needed);
    [DllImport("winspool.drv", CharSet = CharSet.Unicode, ExactSpelling = true, SetLastError = true)]
    static extern int StartDocPrinterW(IntPtr printer, int level, ref DocInfo1 document);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool StartPagePrinter(IntPtr printer);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool WritePrinter(IntPtr printer, ref byte first, int count, out int written);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool EndPagePrinter(IntPtr printer);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool EndDocPrinter(IntPtr printer);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool AbortPrinter(IntPtr printer);
    [DllImport("winspool.drv", ExactSpelling = true, SetLastError = true)]
    static extern bool ClosePrinter(IntPtr printer);

    static RawPrinterResult Failed(string call, int written)
    {
        return new RawPrinterResult { Call = call, Error = Marshal.GetLastWin32Error(), Written = written };
    }

    static bool PrintsByXps(IntPtr printer)
    {
        int size;
        GetPrinterDriverW(printer, null, 8, IntPtr.Zero, 0, out size);
        if (size < Marshal.SizeOf(typeof(DriverInfo8))) return false;
        IntPtr info = Marshal.AllocHGlobal(size);
        try
        {
            if (!GetPrinterDriverW(printer, null, 8, info, size, out size)) return false;
            DriverInfo8 driver = (DriverInfo8)Marshal.PtrToStructure(info, typeof(DriverInfo8));
            return (driver.Attributes & PRINTER_DRIVER_XPS) != 0;
        }
        finally
        {
            Marshal.FreeHGlobal(info);
        }
    }

    static RawPrinterResult PrintDocument(IntPtr printer, string title, byte[] bytes)
    {
        DocInfo1 document = new DocInfo1 { Name = title, DataType = PrintsByXps(printer) ? "XPS_PASS" : "RAW" };
        if (StartDocPrinterW(printer, 1, ref document) == 0) return Failed("StartDocPrinter", 0);
        RawPrinterResult result = WritePages(printer, bytes);
        if (result.Call != null) AbortPrinter(printer);
        return result;
    }

    static RawPrinterResult WritePages(IntPtr printer, byte[] bytes)
    {
        if (!StartPagePrinter(printer)) return Failed("StartPagePrinter", 0);
        int written = 0;
        while (written < bytes.Length)
        {
            int count;
            bool isWritten = WritePrinter(printer, ref bytes[written], bytes.Length - written, out count);
            written += Math.Max(count, 0);
            if (!isWritten || count <= 0) return Failed("WritePrinter", written);
        }
        if (!EndPagePrinter(printer)) return Failed("EndPagePrinter", written);
        if (!EndDocPrinter(printer)) return Failed("EndDocPrinter", written);
        return new RawPrinterResult { Written = written };
    }

    public static RawPrinterResult Print(string queue, string title, byte[] bytes)
    {
        IntPtr printer;
        if (!OpenPrinterW(queue, out printer, IntPtr.Zero)) return Failed("OpenPrinter", 0);
        try
        {
            return PrintDocument(printer, title, bytes);
        }
        finally
        {
            ClosePrinter(printer);
        }
    }
}
`

/**
 * The statements of the script; it gets the queue, the document's name and the file with the bytes as values. What fails
 * before the spooler is called is part of its result: no exit code shows that nothing was submitted.
 */
export const RAW_PRINTER_SCRIPT =
  `try { Add-Type -TypeDefinition '${RAW_PRINTER_SOURCE}'; ` +
  '$bytes = [System.IO.File]::ReadAllBytes($env:TILLPOINTS_FILE) } ' +
  'catch { ConvertTo-Json -Compress @{ Call = "Add-Type: $_"; Error = 0; Written = 0 }; exit }; ' +
  '$result = [RawPrinter]::Print($env:TILLPOINTS_QUEUE, $env:TILLPOINTS_DOCUMENT, $bytes); ' +
  'ConvertTo-Json -Compress @{ Call = $result.Call; Error = $result.Error; Written = $result.Written }'

/** The script's output. */
export const rawResultSchema = v.object({
  /** what failed before the spooler was called, or the call of it that failed; null: it has the whole document */
  Call: v.nullable(v.string()),
  /** its Windows error; 0 before the spooler was called */
  Error: v.number(),
  /** bytes that the spooler took */
  Written: v.number()
})
type RawResult = v.InferOutput<typeof rawResultSchema>

/** Windows errors (System Error Codes, and those of the spooler from 1801 on). */
const FAULT_OF_ERROR: ReadonlyMap<number, PrintFault> = new Map([
  /** ERROR_ACCESS_DENIED */
  [5, 'permission-denied'],
  /** ERROR_PRINT_CANCELLED */
  [63, 'cancelled-at-printer'],
  /** RPC_S_SERVER_UNAVAILABLE, RPC_S_UNKNOWN_IF: the spooler is not running */
  [1722, 'print-system-down'],
  [1717, 'print-system-down'],
  /** ERROR_INVALID_PRINTER_NAME, ERROR_PRINTER_DELETED */
  [1801, 'unknown-queue'],
  [1905, 'unknown-queue']
])

/** The failure of a document that the spooler did not take. A printer may receive bytes before the document is complete. */
export const rawFailure = ({ Error, Written }: RawResult) =>
  notPrinted(FAULT_OF_ERROR.get(Error) ?? 'aborted', Written > 0)
